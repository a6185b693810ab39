// Builds the dashboard, if its sources have changed since: npm run build

import { ensureDashboard } from './dashboard-build.ts'

// Whatever the terminal has set: people get the small and fast kind.
process.env['NODE_ENV'] = 'production'
await ensureDashboard()
