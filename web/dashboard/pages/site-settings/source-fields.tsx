import { isForgeKind } from '../../../../src/contract/code-hosts.ts'
import { Card } from '../../../ui/card.tsx'
import { RadioField } from '../../../ui/choice-field.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { Section } from '../../../ui/section.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { describeFieldError } from '../../api/api-error.ts'
import { nameSource } from '../site/source-names.ts'
import type { SettingsFieldsProps } from './general-fields.tsx'

/** Where the pages are read from. A change syncs the site anew. */
export function SourceFields({ site, form, error, onChange }: SettingsFieldsProps) {
  const { kind } = site.source
  const hasBranch = kind !== 'folder' && kind !== 'crawl'
  return (
    <Section
      title={`Source: ${nameSource(kind)}`}
      description="A change syncs the site anew. A credential is for the place that it was given for: another location loses it."
    >
      <Card>
        <TextField
          label="Location"
          required
          autoComplete="off"
          spellCheck={false}
          value={form.location}
          onValueChange={(location) => onChange({ location })}
          error={describeFieldError(error, 'The location', 'source.location')}
        />
        {kind === 'crawl' ? null : (
          <FormColumns>
            {hasBranch ? (
              <TextField
                label="Branch"
                isOptional
                description="The main branch without it."
                value={form.ref}
                onValueChange={(ref) => onChange({ ref })}
                error={describeFieldError(error, 'The branch', 'source.ref')}
              />
            ) : null}
            <TextField
              label="Subdirectory"
              isOptional
              value={form.subdirectory}
              onValueChange={(subdirectory) => onChange({ subdirectory })}
              error={describeFieldError(error, 'The subdirectory', 'source.subdirectory')}
            />
          </FormColumns>
        )}
        {isForgeKind(kind) || kind === 'git' ? <CredentialFields {...{ site, form, error, onChange }} /> : null}
      </Card>
    </Section>
  )
}

function CredentialFields({ site, form, error, onChange }: SettingsFieldsProps) {
  const choices = site.hasCredential
    ? ([
        { value: 'keep', label: 'Keep what is stored' },
        { value: 'replace', label: 'Replace it' },
        { value: 'remove', label: 'Remove it' },
      ] as const)
    : ([
        { value: 'keep', label: 'None' },
        { value: 'replace', label: 'Give one' },
      ] as const)
  return (
    <>
      <RadioField
        legend="Credential"
        choices={choices}
        value={form.credential}
        onValueChange={(credential) => onChange({ credential })}
      />
      {form.credential === 'replace' ? (
        <FormColumns>
          <TextField
            label="Access token"
            type="password"
            required
            autoComplete="off"
            description="Stored encrypted, and never shown again."
            value={form.token}
            onValueChange={(token) => onChange({ token })}
            error={describeFieldError(error, 'The token', 'credential.token')}
          />
          <TextField
            label="User name of the token"
            isOptional
            autoComplete="off"
            description="Only where the host asks for one: GitLab takes oauth2."
            value={form.tokenUser}
            onValueChange={(tokenUser) => onChange({ tokenUser })}
            error={describeFieldError(error, 'The user name', 'credential.username')}
          />
        </FormColumns>
      ) : null}
    </>
  )
}
