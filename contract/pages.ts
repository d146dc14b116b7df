/**
 * The pages of specification section 2, and the one of links to choose a password. Routes, prerendered files and titles
 * follow.
 */

/** `description` is the text for search results. */
type Page = { title: string; description: string }

export const pages = {
  '/': {
    title: 'Daymark: tasks and notes, kept simple',
    description:
      'A simple and elegant way to manage tasks and notes. Runs on your own computer, from one command, into one file that is yours.',
  },
  '/about': {
    title: 'About us · Daymark',
    description: 'Why Daymark is small, what it keeps, and where your tasks and notes are stored.',
  },
  '/login': { title: 'Login · Daymark', description: 'Log in to your tasks and notes on this Daymark.' },
  '/signup': { title: 'Sign up · Daymark', description: 'Create an account on this Daymark.' },
  '/reset-password': {
    title: 'Choose a password · Daymark',
    description: 'Choose a new password for your account on this Daymark.',
  },
  '/dashboard': { title: 'Dashboard · Daymark', description: 'Your tasks and notes.' },
} as const satisfies Record<string, Page>

/** Paths of the notes, which the dashboard shows. */
export const notePaths = ['/dashboard/notes', '/dashboard/notes/:id'] as const

export const isDashboard = (path: string): boolean => /^\/dashboard(\/notes(\/[^/]+)?)?$/.test(path)

export const notFoundPage: Page = {
  title: 'Page not found · Daymark',
  description: 'There is no page at this address.',
}

/** The name of the prerendered file of a page. */
export const htmlFile = (path: string) => (path === '/' ? 'index.html' : `${path.slice(1)}.html`)
