import { startGitSpawner } from '../../src/git/spawner/git-spawner.ts'

// Each process that runs tests grows to hundreds of megabytes, and would start git as slowly.
await startGitSpawner()
