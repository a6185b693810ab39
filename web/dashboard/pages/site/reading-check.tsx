import type { SiteResource } from '../../../../src/contract/admin.ts'
import { describeSiteCheck } from '../../../../src/contract/describe-site-check.ts'
import { writeMessages } from '../../../../src/contract/message-texts.ts'
import { Card } from '../../../ui/card.tsx'
import { Section } from '../../../ui/section.tsx'
import classes from './reading-check.module.css'
import { say, sayMessages } from '../../../words/say.ts'

/** How well the pages of a site agree with their source. Empty for versions made before such checks. */
export function ReadingCheck({ site: { generation } }: { site: SiteResource }) {
  const messages = generation?.check == null ? [] : describeSiteCheck(generation.check)
  const sentences = messages.map((message) => sayMessages([message], writeMessages([message])))
  if (sentences.length === 0) return null
  return (
    <Section title={say('Agreement with the source')}>
      <Card>
        <ul className={classes.sentences}>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}
