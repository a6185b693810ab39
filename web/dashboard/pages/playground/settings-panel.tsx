import { useQuery } from '@tanstack/react-query'
import { ownInstructionsCharsMax } from '../../../../src/contract/site-settings.ts'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { YesNoField } from '../../../ui/choice-field.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import classes from './chat.module.css'
import { type PlaygroundSettings, siteSettings } from './playground-settings.ts'
import { playgroundOperations } from '../../../../src/contract/operations/playground.ts'
import { queryOf } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

export interface SettingsPanelProps {
  site: SiteResource
  settings: PlaygroundSettings
  onChange(settings: PlaygroundSettings): void
}

/** Overrides for the next answer. Not saved. */
export function SettingsPanel({ site, settings, onChange }: SettingsPanelProps) {
  const models = useQuery(queryOf(playgroundOperations.listPlaygroundModels))
  const change = (part: Partial<PlaygroundSettings>) => onChange({ ...settings, ...part })
  const text = (name: 'pageSize' | 'version' | 'language' | 'tag' | 'groups' | 'page') => ({
    isOptional: true,
    value: settings[name],
    onValueChange: (value: string) => change({ [name]: value }),
  })
  return (
    <Card aria-label={say('Settings for the next answer')} className={classes.panel}>
      <h2 className={classes.panelTitle}>{say('For the next answer')}</h2>
      <SelectField
        label={say('Model')}
        value={settings.model}
        options={[
          { value: '', label: say('Default for readers') },
          ...(models.data?.items ?? []).map(({ id, isDefault }) => ({
            value: id,
            label: isDefault ? say('{id} (default)', { id }) : id,
          })),
        ]}
        onValueChange={(model) => change({ model })}
      />
      <TextAreaField
        label={say('Instructions')}
        rows={4}
        maxLength={ownInstructionsCharsMax}
        value={settings.instructions ?? site.settings.instructions ?? ''}
        onValueChange={(instructions) => change({ instructions })}
      />
      <MoreFields title={say('Search and reader')}>
        <TextField label={say('Passages')} type="number" min={1} max={50} {...text('pageSize')} />
        <TextField label={say('Version')} {...text('version')} />
        <TextField label={say('Language')} {...text('language')} />
        <TextField label={say('Tag')} {...text('tag')} />
        <TextField
          label={say('Reader groups')}
          description={say('Answer as a signed-in reader in these groups.')}
          {...text('groups')}
        />
        <TextField label={say('Reader’s page')} description={say('For example /install.')} {...text('page')} />
        <YesNoField
          legend={say('Skills')}
          label={say('Use the site’s skills')}
          value={settings.skills}
          onValueChange={(skills) => change({ skills })}
        />
      </MoreFields>
      <Button size="small" onClick={() => onChange(siteSettings)}>
        {say('Reset to reader settings')}
      </Button>
    </Card>
  )
}
