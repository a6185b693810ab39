import { say } from '../../../words/say.ts'

/** From nothing to a site that readers ask on their own pages. */
export const setupSteps = [say('Source'), say('Name'), say('First sync'), say('Put it live')] as const
