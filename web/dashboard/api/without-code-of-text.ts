import { config } from 'zod/v4/core'

// When a schema is made, zod tries whether it may compile code from text, which the policy of the page refuses and
// reports. So this runs before any schema is made: `main.tsx` imports it first, and the build keeps it in zod's chunk.
config({ jitless: true })
