/** In milliseconds: how long a failure waits for the document that replaces this one. */
const patience = 10_000

/** When another document last began to load in place of this one. */
let begun = Number.NEGATIVE_INFINITY
globalThis.addEventListener?.('beforeunload', () => {
  begun = performance.now()
})

/**
 * Resolves at once, unless another document is loading in place of this page. Firefox then cuts all requests of this page while
 * it is still shown, and such a failure is not reported. In that case, resolves when this page stays or is shown again.
 */
export async function untilPageStays(): Promise<void> {
  if (performance.now() - begun > patience) return
  await new Promise((resolve) => {
    setTimeout(resolve, patience)
    addEventListener('pageshow', resolve, { once: true })
  })
}
