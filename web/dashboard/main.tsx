import './api/without-code-of-text.ts'
import '../ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyTheme } from '../ui/theme.ts'
import { language } from '../words/language.ts'
import { prepareWords } from '../words/say.ts'

applyTheme()
document.documentElement.lang = language

const place = document.querySelector('#root')
if (place === null) throw new Error('The page has no element with the id root.')
await prepareWords()
const { createDashboard, Dashboard } = await import('./dashboard.tsx')
createRoot(place).render(
  <StrictMode>
    <Dashboard {...createDashboard()} />
  </StrictMode>,
)
