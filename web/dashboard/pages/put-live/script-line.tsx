import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Card } from '../../../ui/card.tsx'
import { CodeSample } from '../../../ui/code-sample.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { Section } from '../../../ui/section.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { readBaseUrl } from '../../api/base-url.ts'
import { findGenerator, listGeneratorLines } from './generator-lines.ts'
import classes from './put-live.module.css'
import { say } from '../../../words/say.ts'

/** What the owner adds to the website, in the form that its generator wants. */
export function ScriptLine({ site }: { site: SiteResource }) {
  const baseUrl = readBaseUrl()
  const lines = listGeneratorLines({ baseUrl, site: site.slug })
  const [chosen, setChosen] = useState(() => findGenerator(site.generation?.format ?? null, lines))
  const line = lines.find(({ id }) => id === chosen) ?? lines[0]
  const { origin } = new URL(baseUrl)
  return (
    <Section
      title={say('The line')}
      description={say('Add it to your website once. It needs no change when you change settings later.')}
    >
      <Card>
        <SelectField
          label={say('Your site is made with')}
          options={lines.map(({ id, title }) => ({ value: id, label: title }))}
          value={line.id}
          onValueChange={setChosen}
        />
        <CodeSample title={line.file} what={say('line for the website')} code={line.code} />
        <p className={classes.muted}>{line.note}</p>
        <MoreFields title={say('My site has a content security policy')}>
          <CodeSample
            title="Content-Security-Policy"
            what={say('directives')}
            code={`script-src ${origin};\nconnect-src ${origin};`}
          />
          <p className={classes.muted}>
            {say('Add the address to these two directives. The widget needs nothing else.')}
          </p>
        </MoreFields>
      </Card>
    </Section>
  )
}
