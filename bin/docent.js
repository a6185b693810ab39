#!/usr/bin/env node
// The command `docent`: makes sure of Node and the dependencies, then runs the commands from their source.

process.argv.splice(2, 0, 'src/cli/main.ts')
await import('../scripts/run.js')
