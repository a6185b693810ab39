// Builds the widget, the dashboard and the program, each unless its sources are the same: npm run build

import './build-web.ts'
import { ensureProgram } from './program-build.ts'

// Last, because a service that has started from its sources waits for the others only.
await ensureProgram()
