import type { SiteResource } from '../../../../src/contract/admin.ts'
import { isForgeKind } from '../../../../src/contract/code-hosts.ts'
import { Card } from '../../../ui/card.tsx'
import { RadioField } from '../../../ui/choice-field.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { Section } from '../../../ui/section.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { FormState } from '../../forms/use-form.ts'
import { nameSource } from '../site/source-names.ts'
import type { SettingsForm } from './settings-form.ts'
import { say } from '../../../words/say.ts'

export interface SourceFieldsProps {
  site: SiteResource
  form: FormState<SettingsForm>
}

/** Changes to the source trigger a new sync. */
export function SourceFields({ site, form }: SourceFieldsProps) {
  const { kind } = site.source
  const hasBranch = kind !== 'folder' && kind !== 'crawl'
  return (
    <Section
      title={say('Source: {kind}', { kind: nameSource(kind) })}
      description={say(
        'Changing the source syncs the site again. Changing the location removes the stored credential.',
      )}
    >
      <Card>
        <TextField
          label={say('Location')}
          required
          autoComplete="off"
          spellCheck={false}
          {...form.field('location', say('The location'), 'source.location')}
        />
        {kind === 'crawl' ? null : (
          <FormColumns>
            {hasBranch ? (
              <TextField
                label={say('Branch')}
                isOptional
                description={say('Defaults to the main branch.')}
                {...form.field('ref', say('The branch'), 'source.ref')}
              />
            ) : null}
            <TextField
              label={say('Subdirectory')}
              isOptional
              {...form.field('subdirectory', say('The subdirectory'), 'source.subdirectory')}
            />
          </FormColumns>
        )}
        {isForgeKind(kind) || kind === 'git' ? <CredentialFields site={site} form={form} /> : null}
      </Card>
    </Section>
  )
}

function CredentialFields({ site, form }: SourceFieldsProps) {
  const choices = site.hasCredential
    ? ([
        { value: 'keep', label: say('Keep the stored one') },
        { value: 'replace', label: say('Replace it') },
        { value: 'remove', label: say('Remove it') },
      ] as const)
    : ([
        { value: 'keep', label: say('None') },
        { value: 'replace', label: say('Add one') },
      ] as const)
  return (
    <>
      <RadioField legend={say('Credential')} choices={choices} {...form.field('credential')} />
      {form.values.credential === 'replace' ? (
        <FormColumns>
          <TextField
            label={say('Access token')}
            type="password"
            required
            autoComplete="off"
            description={say('Stored encrypted, and never shown again.')}
            {...form.field('token', say('The token'), 'credential.token')}
          />
          <TextField
            label={say('Token user name')}
            isOptional
            autoComplete="off"
            description={say('Only if the host requires one. For GitLab, use oauth2.')}
            {...form.field('tokenUser', say('The user name'), 'credential.username')}
          />
        </FormColumns>
      ) : null}
    </>
  )
}
