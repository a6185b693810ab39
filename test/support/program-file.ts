import { join } from 'node:path'
import { ensureProgram } from '../../scripts/program-build.ts'

// Bundled, as people start it: from its sources, each process of a test would load a thousand files.
await ensureProgram()

/** The program, built from the sources as they are. */
export const programFile: string = join(import.meta.dirname, '../../dist/cli/main.js')
