import { runIndexThread } from './index-site-thread.ts'

runIndexThread()
