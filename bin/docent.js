#!/usr/bin/env node
// The command `docent`: makes sure of Node and the dependencies, then runs the commands: compiled ones in a package, their
// source in a checkout.

import { existsSync } from 'node:fs'

const isCheckout = existsSync(new URL('../src/cli/main.ts', import.meta.url))
process.argv.splice(2, 0, isCheckout ? 'src/cli/main.ts' : 'dist/cli/main.js')
await import('../scripts/run.js')
