// Holds the widget to its budget: what every page loads, and what it loads when somebody asks, compressed.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { ensureWidget, widgetFolder } from './widget-build.ts'

const gzipBytesMax = { 'widget.js': 3_000, 'panel.js': 30_000, 'highlight-code.js': 10_000 } as const

process.env['NODE_ENV'] = 'production'
await ensureWidget()
for (const [name, bytesMax] of Object.entries(gzipBytesMax)) {
  const bytes = statSync(join(widgetFolder, `${name}.gz`)).size
  console.log(`${name}: ${(bytes / 1_000).toFixed(1)} KB of ${bytesMax / 1_000} KB`)
  if (bytes <= bytesMax) continue
  console.error(`${name} is too large. Load what is heavy when it is needed, or leave it out.`)
  process.exitCode = 1
}
