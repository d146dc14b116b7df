/** The first valid language tag. A browser may name others: WebKit names the locale `C`. */
export const firstLanguage = (tags: readonly string[]): string | undefined => tags.find(isTag)

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}
