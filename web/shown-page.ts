import { isDashboard, notFoundPage, pages } from '#contract/pages.ts'

/** The page of a path, with or without a slash at its end. */
export function pageAt(pathname: string) {
  const path = pathOfPageAt(pathname)
  return Object.hasOwn(pages, path) ? pages[path as keyof typeof pages] : notFoundPage
}

/** The path of the page that shows this path. */
export function pathOfPageAt(pathname: string): string {
  const path = pathname.replace(/(?<=.)\/$/, '')
  return isDashboard(path) ? '/dashboard' : path
}
