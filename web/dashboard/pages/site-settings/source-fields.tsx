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
      title={`Source: ${nameSource(kind)}`}
      description="Changing the source syncs the site again. Changing the location removes the stored credential."
    >
      <Card>
        <TextField
          label="Location"
          required
          autoComplete="off"
          spellCheck={false}
          {...form.field('location', 'The location', 'source.location')}
        />
        {kind === 'crawl' ? null : (
          <FormColumns>
            {hasBranch ? (
              <TextField
                label="Branch"
                isOptional
                description="Defaults to the main branch."
                {...form.field('ref', 'The branch', 'source.ref')}
              />
            ) : null}
            <TextField
              label="Subdirectory"
              isOptional
              {...form.field('subdirectory', 'The subdirectory', 'source.subdirectory')}
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
        { value: 'keep', label: 'Keep the stored one' },
        { value: 'replace', label: 'Replace it' },
        { value: 'remove', label: 'Remove it' },
      ] as const)
    : ([
        { value: 'keep', label: 'None' },
        { value: 'replace', label: 'Add one' },
      ] as const)
  return (
    <>
      <RadioField legend="Credential" choices={choices} {...form.field('credential')} />
      {form.values.credential === 'replace' ? (
        <FormColumns>
          <TextField
            label="Access token"
            type="password"
            required
            autoComplete="off"
            description="Stored encrypted, and never shown again."
            {...form.field('token', 'The token', 'credential.token')}
          />
          <TextField
            label="Token user name"
            isOptional
            autoComplete="off"
            description="Only if the host requires one. For GitLab, use oauth2."
            {...form.field('tokenUser', 'The user name', 'credential.username')}
          />
        </FormColumns>
      ) : null}
    </>
  )
}
