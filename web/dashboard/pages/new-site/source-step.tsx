import { listForges } from '../../../../src/contract/code-hosts.ts'
import type { SourceCheck } from '../../../../src/contract/source-check.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioField } from '../../../ui/choice-field.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { StepHeading } from '../../../ui/steps.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { FormView } from '../../forms/form-view.tsx'
import { useChange } from '../../forms/use-change.ts'
import type { FormState } from '../../forms/use-form.ts'
import { CheckSteps } from './check-steps.tsx'
import { type SiteForm, type SourcePlace, tryOutSource } from './site-form.ts'
import { siteOperations } from '../../../../src/contract/operations/sites.ts'
import { call } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

export interface SourceStepProps {
  form: FormState<SiteForm>
  /** Check of the current values, or null. */
  check: SourceCheck | null
  onChecked(check: SourceCheck): void
  onNext(): void
}

/** The first check of a large repository can take two minutes. */
const checkTimeLimitMs = 150_000

const places = [
  {
    value: 'address',
    label: say('A repository by URL'),
    description: say('A repository on {listForges}, or any git repository over HTTPS.', {
      listForges: listForges('or'),
    }),
  },
  {
    value: 'server',
    label: say('A folder or repository on the server'),
    description: say('By its absolute path on the server.'),
  },
  { value: 'crawl', label: say('A published site'), description: say('Its pages are crawled once a day.') },
] as const

const locations: Readonly<Record<SourcePlace, { label: string; placeholder: string }>> = {
  address: { label: say('Repository URL'), placeholder: 'https://github.com/acme/docs' },
  server: { label: say('Path on the server'), placeholder: '/srv/docs' },
  crawl: { label: say('Site URL'), placeholder: 'https://docs.example.com' },
}

/** Chooses a source and checks it before anything is created. */
export function SourceStep({ form, check, onChecked, onNext }: SourceStepProps) {
  const tryOut = useChange({
    send: () =>
      tryOutSource(form.values, (body) => call(siteOperations.checkSource, { body, timeLimitMs: checkTimeLimitMs })),
    onDone: onChecked,
  })
  const mayGoOn = check?.canRead === true
  const checkAgain = () => tryOut.mutate()
  const { place } = form.values
  return (
    <FormView
      form={{ error: tryOut.error, isBusy: tryOut.isPending, submit: mayGoOn ? onNext : checkAgain }}
      action={mayGoOn ? say('Continue') : check === null ? say('Check') : say('Check again')}
      actions={mayGoOn ? <Button onClick={checkAgain}>{say('Check again')}</Button> : null}
    >
      <StepHeading>{say('Choose the source')}</StepHeading>
      <RadioField legend={say('Source')} choices={places} {...form.field('place')} />
      <TextField {...locations[place]} required autoComplete="off" spellCheck={false} {...form.field('location')} />
      {place === 'crawl' ? null : <SourceDetails form={form} />}
      <CheckSteps check={check} isBusy={tryOut.isPending} />
    </FormView>
  )
}

const keepings = [
  {
    value: 'import',
    label: say('Import'),
    description: say('Copy it into the built-in host, where the agent can open pull requests.'),
  },
  { value: 'follow', label: say('Follow'), description: say('Read it in place. Docent writes nothing to it.') },
] as const

function SourceDetails({ form }: Pick<SourceStepProps, 'form'>) {
  const { place } = form.values
  return (
    <>
      {place === 'server' ? (
        <RadioField legend={say('Import or follow')} choices={keepings} {...form.field('keeping')} />
      ) : null}
      <MoreFields>
        <FormColumns>
          <TextField
            label={say('Branch')}
            isOptional
            description={say('Defaults to the main branch.')}
            {...form.field('ref')}
          />
          <TextField
            label={say('Subdirectory')}
            isOptional
            description={say('Path of the site within it, such as docs.')}
            {...form.field('subdirectory')}
          />
        </FormColumns>
        {place === 'address' ? <CredentialFields form={form} /> : null}
      </MoreFields>
    </>
  )
}

function CredentialFields({ form }: Pick<SourceStepProps, 'form'>) {
  return (
    <FormColumns>
      <TextField
        label={say('Access token')}
        isOptional
        type="password"
        autoComplete="off"
        description={say(
          'Gives access to a private repository and lets the agent open pull requests. Stored encrypted.',
        )}
        {...form.field('token')}
      />
      <TextField
        label={say('Token user name')}
        isOptional
        autoComplete="off"
        description={say('Only if a plain git host requires one.')}
        {...form.field('tokenUser')}
      />
    </FormColumns>
  )
}
