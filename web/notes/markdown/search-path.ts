/** Where the search for a tag is. */
export const searchPathOf = (tag: string) => `/dashboard?search=${encodeURIComponent(tag)}`
