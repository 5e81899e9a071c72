/** An attachment: an element that scrolls can be reached and scrolled by keyboard; one that does not is not a tab stop. */
export function reachableWhenScrolling(node: HTMLElement): () => void {
  const look = (): void => {
    const scrolls = node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1
    if (scrolls) node.tabIndex = 0
    else node.removeAttribute('tabindex')
  }
  const sizes = new ResizeObserver(look)
  const content = new MutationObserver(look)
  sizes.observe(node)
  content.observe(node, { childList: true, subtree: true })
  look()
  return () => {
    sizes.disconnect()
    content.disconnect()
  }
}
