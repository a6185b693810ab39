import type { SiteResource } from '../../../../src/contract/admin.ts'
import { type BotPlatformName, botPlatformLabels } from '../../../../src/contract/bot-platforms.ts'
import type { BotResource } from '../../../../src/contract/bots.ts'
import { botOperations } from '../../../../src/contract/operations/bots.ts'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { call } from '../../api/call.ts'
import { FormView } from '../../forms/form-view.tsx'
import { type FormState, useForm } from '../../forms/use-form.ts'
import { type BotForm, readBotSettings, toBotForm } from './bot-form.ts'
import { say } from '../../../words/say.ts'

interface BotFormProps {
  site: SiteResource
  platform: BotPlatformName
  /** Null if it is not connected yet. */
  bot: BotResource | null
  onClose(): void
}

export type BotDialogProps = Omit<BotFormProps, 'platform'> & {
  /** Null while the dialog is closed. */
  platform: BotPlatformName | null
}

/** Connects a bot, or changes it. The service tries a new token first. */
export function BotDialog({ platform, onClose, ...props }: BotDialogProps) {
  const title =
    platform === null ? '' : `${props.bot === null ? say('Connect') : say('Change')} ${botPlatformLabels[platform]}`
  return (
    <Dialog title={title} isOpen={platform !== null} onClose={onClose} closesOutside={false}>
      {platform === null ? null : <BotFields key={platform} platform={platform} onClose={onClose} {...props} />}
    </Dialog>
  )
}

function BotFields({ site, platform, bot, onClose }: BotFormProps) {
  const form = useForm({
    initial: () => toBotForm(bot),
    send: (values) => sendBot({ site, platform, bot }, values),
    stale: ['listBots'],
    onDone: onClose,
  })
  return (
    <FormView form={form} action={bot === null ? say('Connect') : say('Save')} onCancel={onClose}>
      <p>
        {say('Enter this address in the app on {platform}:', {
          platform: botPlatformLabels[platform],
        })}{' '}
        <CopyLine
          text={bot?.url ?? `${location.origin}/webhooks/bots/${platform}/${site.id}`}
          what={say('the address')}
        />
      </p>
      <SecretFields form={form} platform={platform} isStored={bot !== null} />
      <MoreFields>
        <TextAreaField
          label={say('Channels')}
          isOptional
          description={say(
            'Ids, one per line; empty for every channel. After an id, “,auto” answers questions that do not mention the bot (Slack), and “,group=NAME” allows pages of a group.',
          )}
          placeholder={'C0123456789,auto\nC0987654321,group=partners'}
          spellCheck={false}
          {...form.field('channels', say('The channels'))}
        />
        <FormColumns>
          <TextField
            label={say('Channel for unanswered questions')}
            isOptional
            spellCheck={false}
            {...form.field('unansweredChannel', say('The channel'))}
          />
          <TextField
            label={say('Questions per user and hour')}
            required
            inputMode="numeric"
            {...form.field('userPerHour', say('The limit'))}
          />
        </FormColumns>
        <SelectField
          label={say('Direct messages')}
          options={[
            { value: 'yes', label: say('Answer') },
            { value: 'no', label: say('Ignore') },
          ]}
          {...form.field('directMessages')}
        />
      </MoreFields>
    </FormView>
  )
}

interface SecretFieldsProps {
  form: FormState<BotForm>
  platform: BotPlatformName
  isStored: boolean
}

function SecretFields({ form, platform, isStored }: SecretFieldsProps) {
  const typed = { type: 'password', autoComplete: 'off', spellCheck: false } as const
  const description = isStored ? say('Stored encrypted. Leave all empty to keep them.') : say('Stored encrypted.')
  return (
    <FormColumns>
      <TextField
        label={say('Bot token')}
        required={!isStored}
        description={description}
        {...typed}
        {...form.field('token', say('The token'))}
      />
      {platform === 'slack' ? (
        <TextField
          label={say('Signing secret')}
          required={!isStored}
          description={description}
          {...typed}
          {...form.field('signingSecret', say('The signing secret'))}
        />
      ) : null}
    </FormColumns>
  )
}

/** Without a token, the stored one is kept. */
function sendBot({ site, platform, bot }: Omit<BotFormProps, 'onClose'>, values: BotForm): Promise<BotResource> {
  const params = { id: site.id, platform }
  const settings = readBotSettings(values)
  const [token, signingSecret] = [values.token.trim(), values.signingSecret.trim()]
  if (bot !== null && token === '' && signingSecret === '') {
    return call(botOperations.updateBot, { params, body: settings })
  }
  const body = { token, ...(signingSecret !== '' && { signingSecret }), settings: { ...bot?.settings, ...settings } }
  return call(botOperations.connectBot, { params, body })
}
