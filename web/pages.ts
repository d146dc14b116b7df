import { notFoundPage, pages } from '#contract/pages.ts'

/** The page of a path, with or without a slash at its end. */
export function pageAt(pathname: string) {
  const path = pathname.replace(/(?<=.)\/$/, '')
  return Object.hasOwn(pages, path) ? pages[path as keyof typeof pages] : notFoundPage
}
