// First: it sets the order of the layers that the components' sheets fill.
import './styles/styles.css'

import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { App } from './app.tsx'

const root = document.getElementById('root') as HTMLElement
const page = (
  <StrictMode>
    <BrowserRouter>
      <App />
    </BrowserRouter>
  </StrictMode>
)

// Built pages are prerendered; the development server sends an empty root.
if (root.firstElementChild) hydrateRoot(root, page)
else createRoot(root).render(page)
