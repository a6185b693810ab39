import { runEmbedThread } from './embed-index-thread.ts'

await runEmbedThread()
