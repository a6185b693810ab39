// Builds the widget and the dashboard, if their sources have changed since.

import { ensureDashboard } from './dashboard-build.ts'
import { ensureWidget } from './widget-build.ts'

// Whatever the terminal has set: people get the small and fast kind.
process.env['NODE_ENV'] = 'production'
// The smaller one first: pages of others wait for it.
await ensureWidget()
await ensureDashboard()
