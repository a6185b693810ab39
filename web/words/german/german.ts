import { agentWords } from './agent-words.ts'
import { homeWords } from './home-words.ts'
import { insightsWords } from './insights-words.ts'
import { keysWords } from './keys-words.ts'
import { peopleWords } from './people-words.ts'
import { pullRequestsWords } from './pull-requests-words.ts'
import { readersWords } from './readers-words.ts'
import { serviceWords } from './service-words.ts'
import { sharedWords } from './shared-words.ts'
import { sharedViewWords } from './shared-view-words.ts'
import { shellWords } from './shell-words.ts'
import { sitesWords } from './sites-words.ts'
import { widgetWords } from './widget-words.ts'

/** Every text of the dashboard in German, by its English. */
export const german = {
  ...agentWords,
  ...homeWords,
  ...insightsWords,
  ...keysWords,
  ...peopleWords,
  ...pullRequestsWords,
  ...readersWords,
  ...serviceWords,
  ...sharedWords,
  ...sharedViewWords,
  ...shellWords,
  ...sitesWords,
  ...widgetWords,
}
