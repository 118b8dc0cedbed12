/**
 * A mistake in the installation or its settings. The message is one line that names the setting and says what to do; the
 * command line prints it without a stack.
 */
export class OperatorError extends Error {
  override name = 'OperatorError'
  /** One line for each mistake, when there are several. */
  readonly mistakes: readonly string[]

  constructor(message: string, options: ErrorOptions & { readonly mistakes?: readonly string[] } = {}) {
    super(message, options)
    this.mistakes = options.mistakes ?? [message]
  }
}

/** For `catch`: a folder of a setting that cannot be created, read or written. */
export function unusableFolder(setting: string, folder: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.syscall === undefined || error.syscall.startsWith('spawn')) throw error
    throw new OperatorError(
      `${setting}: cannot use the folder ${folder} (${error.code}); let the user of this process write there, or set another folder`,
      { cause: error },
    )
  }
}
