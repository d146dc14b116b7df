/** Settles when the lists show the last changes of the store: React renders them in a microtask. */
export const listsRendered = () => new Promise<void>((rendered) => setTimeout(rendered))
