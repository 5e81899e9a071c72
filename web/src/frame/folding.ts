/** An attachment for a column of panels: what does not fit beside the question folds, step by step, as `data-fold` tells; what still does not fit scrolls. */
const MOST_FOLDED = 4
const SCROLLS = 3 // from here on, lists may scroll
const LEAST_FOR_LOG = 840 // pixels: on lower screens the board needs the room of the log, which a button opens

export function folding(column: HTMLElement): () => void {
  let asked = 0
  const look = (): void => {
    asked ||= requestAnimationFrame(() => {
      asked = 0
      fold(column)
    })
  }
  const sizes = new ResizeObserver(look)
  const content = new MutationObserver(look)
  sizes.observe(column)
  content.observe(column, { childList: true, characterData: true, subtree: true })
  fold(column)
  return () => {
    cancelAnimationFrame(asked)
    sizes.disconnect()
    content.disconnect()
  }
}

function fold(column: HTMLElement): void {
  for (let step = innerHeight < LEAST_FOR_LOG ? 1 : 0; step <= MOST_FOLDED; step++) {
    column.dataset.fold = String(step)
    if (fits(column, step >= SCROLLS)) return
  }
}

function fits(column: HTMLElement, mayScroll: boolean): boolean {
  const lists = mayScroll ? [] : [...column.parentElement!.querySelectorAll<HTMLElement>(':is(.panels, .docked) .folds')]
  return column.scrollHeight <= column.clientHeight + 1 && lists.every((list) => list.scrollHeight <= list.clientHeight + 1)
}
