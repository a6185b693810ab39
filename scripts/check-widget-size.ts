// Holds the widget to its budget: what every page loads, and what it loads for the first question, compressed.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { ensureWidget, widgetFolder } from './widget-build.ts'

const budgets = [
  { state: 'until it is opened', names: ['widget.js'], gzipBytesMax: 3_000 },
  { state: 'opened', names: ['widget.js', 'panel.js', 'panel-content.js'], gzipBytesMax: 30_000 },
  {
    state: 'answering with code',
    names: ['widget.js', 'panel.js', 'panel-content.js', 'talk-view.js', 'highlight-code.js'],
    gzipBytesMax: 40_000,
  },
] as const

process.env['NODE_ENV'] = 'production'
await ensureWidget()
for (const { state, names, gzipBytesMax } of budgets) {
  const bytes = names.reduce((sum, name) => sum + statSync(join(widgetFolder, `${name}.gz`)).size, 0)
  console.log(`The widget ${state}: ${(bytes / 1_000).toFixed(1)} KB of ${gzipBytesMax / 1_000} KB`)
  if (bytes <= gzipBytesMax) continue
  console.error(`It is too large: ${names.join(', ')}. Load what is heavy when it is needed, or leave it out.`)
  process.exitCode = 1
}
