export { About } from '../public/about.tsx'
export { Landing } from '../public/landing.tsx'
export { NotFound } from '../public/not-found.tsx'
export { PublicLayout } from '../public/public-layout.tsx'
