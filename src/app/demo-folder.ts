import { fileURLToPath } from 'node:url'

/** The project's own documentation: the first site of every installation. */
export const demoFolder: string = fileURLToPath(new URL('../../docs', import.meta.url))
