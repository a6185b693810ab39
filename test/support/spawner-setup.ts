import { startSpawner } from '../../src/git/spawner/spawner.ts'

// Each process that runs tests grows to hundreds of megabytes, and would start git as slowly.
await startSpawner()
