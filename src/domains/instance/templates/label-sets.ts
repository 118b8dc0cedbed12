/** Label sets for new repositories and organizations. */
export interface LabelTemplate {
  readonly name: string
  /** Six hexadecimal digits. */
  readonly color: string
  readonly description: string
  /** An issue has at most one of the labels with the same prefix before the last slash. */
  readonly exclusive: boolean
}

const label = (name: string, color: string, description: string, exclusive = false): LabelTemplate => ({
  name,
  color,
  description,
  exclusive,
})

/** Compat: names, colors and descriptions of the reference. */
const SETS: Readonly<Record<string, readonly LabelTemplate[]>> = {
  Advanced: [
    label('Compat/Breaking', 'c62828', "Breaking change that won't be backward compatible"),
    label('Kind/Bug', 'ee0701', 'Something is not working'),
    label('Kind/Documentation', '37474f', 'Documentation changes'),
    label('Kind/Enhancement', '84b6eb', 'Improve existing functionality'),
    label('Kind/Feature', '0288d1', 'New functionality'),
    label('Kind/Security', '9c27b0', 'This is security issue'),
    label('Kind/Testing', '795548', 'Issue or pull request related to testing'),
    label('Priority/Critical', 'b71c1c', 'The priority is critical', true),
    label('Priority/High', 'd32f2f', 'The priority is high', true),
    label('Priority/Low', '4caf50', 'The priority is low', true),
    label('Priority/Medium', 'e64a19', 'The priority is medium', true),
    label('Reviewed/Confirmed', '795548', 'Issue has been confirmed', true),
    label('Reviewed/Duplicate', '616161', 'This issue or pull request already exists', true),
    label('Reviewed/Invalid', '546e7a', 'Invalid issue', true),
    label("Reviewed/Won't Fix", 'eeeeee', "This issue won't be fixed", true),
    label('Status/Abandoned', '222222', 'Somebody has started to work on this but abandoned work', true),
    label('Status/Blocked', '880e4f', 'Something is blocking this issue or pull request', true),
    label(
      'Status/Need More Info',
      '424242',
      'Feedback is required to reproduce issue or to continue work',
      true,
    ),
  ],
  Default: [
    label('bug', 'ee0701', 'Something is not working'),
    label('duplicate', 'cccccc', 'This issue or pull request already exists'),
    label('enhancement', '84b6eb', 'New feature'),
    label('help wanted', '128a0c', 'Need some help'),
    label('invalid', 'e6e6e6', 'Something is wrong'),
    label('question', 'cc317c', 'More information is needed'),
    label('wontfix', 'ffffff', "This won't be fixed"),
  ],
}

export function listLabelSets(): string[] {
  return Object.keys(SETS)
}

export function findLabelSet(name: string): readonly LabelTemplate[] | undefined {
  return Object.hasOwn(SETS, name) ? SETS[name] : undefined
}
