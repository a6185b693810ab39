import type { Engine } from '../engine.ts'
import { docentEngine } from './docent-engine.ts'
import { flexSearchEngine } from './flexsearch-engine.ts'
import { fts5Engine } from './fts5-engine.ts'
import { lunrEngine } from './lunr-engine.ts'
import { miniSearchEngine } from './minisearch-engine.ts'
import { oramaEngine } from './orama-engine.ts'

export const allEngines: readonly Engine[] = [
  docentEngine,
  miniSearchEngine,
  lunrEngine,
  fts5Engine,
  flexSearchEngine,
  oramaEngine,
]
