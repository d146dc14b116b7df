/** Title and description of each route. */
export const pages: Record<string, { title: string; description: string }> = {
  '/': {
    title: 'Daymark: tasks and notes, kept simple',
    description:
      'A simple and elegant way to manage tasks and notes. Runs on your own computer, from one command, into one file that is yours.',
  },
  '/about': {
    title: 'About us · Daymark',
    description: 'Why Daymark is small, what it keeps, and where your tasks are stored.',
  },
  '/login': { title: 'Login · Daymark', description: 'Log in to your tasks on this Daymark.' },
  '/signup': { title: 'Sign up · Daymark', description: 'Make an account on this Daymark.' },
  '/dashboard': { title: 'Dashboard · Daymark', description: 'Your tasks: today, latest and by priority.' },
}

export const notFoundPage = {
  title: 'Page not found · Daymark',
  description: 'There is no page at this address.',
}

export const pageAt = (pathname: string) => pages[pathname.replace(/(?<=.)\/$/, '')] ?? notFoundPage
