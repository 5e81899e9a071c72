/** An attachment: an element that scrolls can be reached and scrolled by keyboard; one that does not is not a tab stop. */
export function reachableWhenScrolling(node: HTMLElement): () => void {
  const look = (): void => {
    const scrolls = node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1
    if (scrolls) node.tabIndex = 0
    else node.removeAttribute('tabindex')
  }
  // what is inside may grow without any change of the document: when a font arrives, or the type's size changes
  const sizes = new ResizeObserver(look)
  const lookAgain = (): void => {
    for (const one of [node, ...node.children]) sizes.observe(one)
    look()
  }
  const content = new MutationObserver(lookAgain)
  content.observe(node, { childList: true, subtree: true, characterData: true })
  lookAgain()
  return () => {
    sizes.disconnect()
    content.disconnect()
  }
}
