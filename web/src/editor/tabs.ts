/** The parts of the panel beside the map. */
export const TABS = ['map', 'tickets', 'cards', 'rules', 'board', 'report'] as const
export type Tab = (typeof TABS)[number]
