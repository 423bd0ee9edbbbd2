/** Whether the system asks for less motion. */
export const prefersLessMotion = (): boolean => globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false
