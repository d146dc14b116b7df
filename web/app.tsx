import { lazy, Suspense, useEffect } from 'react'
import { Route, Routes, useLocation } from 'react-router'
import { pageAt } from './pages.ts'
import { About } from './public/about.tsx'
import { Landing } from './public/landing.tsx'
import { PublicLayout } from './public/layout.tsx'
import { Login } from './public/login.tsx'
import { NotFound } from './public/not-found.tsx'
import { Signup } from './public/signup.tsx'
import { PublicToasts } from './ui/toasts.tsx'

const Dashboard = lazy(() => import('./dashboard/dashboard.tsx'))

/** Every route of specification section 2. */
export function App() {
  usePageTitle()
  return (
    <>
      <Suspense>
        <Routes>
          <Route element={<PublicLayout />}>
            <Route path="/" element={<Landing />} />
            <Route path="/about" element={<About />} />
            <Route path="/login" element={<Login />} />
            <Route path="/signup" element={<Signup />} />
            <Route path="*" element={<NotFound />} />
          </Route>
          <Route path="/dashboard" element={<Dashboard />} />
        </Routes>
      </Suspense>
      {/* Outlives the routes: "Redirecting to dashboard..." is read on the dashboard. */}
      <PublicToasts />
    </>
  )
}

function usePageTitle() {
  const { pathname } = useLocation()
  useEffect(() => {
    document.title = pageAt(pathname).title
  }, [pathname])
}
