import { runIndexThread } from './index-site-thread.ts'

await runIndexThread()
