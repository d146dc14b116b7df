import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { Route, Routes, useLocation, useNavigationType } from 'react-router'
import { isDashboard, notFoundPage, pages } from '#contract/pages.ts'
import { ErrorBoundary } from './ui/error-boundary.tsx'

// Every page is a chunk: the dashboard loads nothing of the public pages.
const PublicLayout = lazy(() => import('./public/public-layout.tsx'))
const About = lazy(() => import('./public/about.tsx'))
const NotFound = lazy(() => import('./public/not-found.tsx'))
const Landing = lazy(() => import('./public/landing.tsx'))
const Login = lazy(() => import('./public/login.tsx'))
const Signup = lazy(() => import('./public/signup.tsx'))
const ResetPassword = lazy(() => import('./public/reset-password.tsx'))
const Dashboard = lazy(() => import('./dashboard/dashboard.tsx'))
const PublicToasts = lazy(() => import('./ui/public-toasts.tsx'))

/** Every route of specification section 2, and that of links to choose a password. Not in App, so that a new URL does not render the whole page again. */
const routes = (
  <Routes>
    <Route element={<PublicLayout />}>
      <Route path="/" element={<Landing />} />
      <Route path="/about" element={<About />} />
      <Route path="/login" element={<Login />} />
      <Route path="/signup" element={<Signup />} />
      <Route path="/reset-password" element={<ResetPassword />} />
      <Route path="*" element={<NotFound />} />
    </Route>
    <Route path="/dashboard" element={<Dashboard />}>
      <Route path="notes/:id?" element={null} />
    </Route>
  </Routes>
)

export function App() {
  const { pathname, search } = useLocation()
  useArrival(pathname, search)

  return (
    <>
      <ErrorBoundary>
        <Suspense>{routes}</Suspense>
      </ErrorBoundary>
      {/* Above the routes, so that "Redirecting to dashboard..." stays on the dashboard. */}
      {useIsOnceTrue(['/login', '/signup', '/dashboard'].includes(pathOfPageAt(pathname))) && (
        <Suspense>
          <PublicToasts />
        </Suspense>
      )}
    </>
  )
}

/**
 * A new page starts at its top, under its own title, and takes the focus of keyboards and screen readers. Another list on
 * the same page starts at its top too. Going back returns to where the reader was.
 */
function useArrival(pathname: string, search: string) {
  const isForward = useNavigationType() !== 'POP'
  const arrive = useEffectEvent(() => {
    document.title = pageAt(pathname).title
    const main = document.getElementById('main')
    // A form has given the focus to its first field.
    if (isForward && !main?.contains(document.activeElement)) main?.focus()
  })
  const scrollUp = useEffectEvent(() => isForward && window.scrollTo(0, 0))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the page alone is an arrival; the notes are parts of the dashboard
  useEffect(() => arrive(), [pathOfPageAt(pathname)])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the search names the list
  useEffect(() => void scrollUp(), [pathname, search])
}

/** Landing and About raise no toasts, so a visit that starts there does not load them; once loaded they stay. */
function useIsOnceTrue(condition: boolean): boolean {
  const [was, setWas] = useState(condition)
  if (condition && !was) setWas(true)
  return was
}

function pageAt(pathname: string) {
  const path = pathOfPageAt(pathname)
  return Object.hasOwn(pages, path) ? pages[path as keyof typeof pages] : notFoundPage
}

function pathOfPageAt(pathname: string): string {
  const path = pathname.replace(/(?<=.)\/$/, '')
  return isDashboard(path) ? '/dashboard' : path
}
