import { config } from 'zod/v4/core'

// On creating a schema, zod probes `new Function`, which the CSP blocks and reports. So this must run before any schema
// is created: `main.tsx` imports it first, and the build keeps it in zod's chunk.
config({ jitless: true })
