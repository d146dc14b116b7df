/**
 * How many times a test repeats random steps, or steps that depend on timing. In `npm run torture`, which sets TORTURE, it is
 * `full`. Otherwise it is `usual`, a quarter of `full` by default.
 */
export const rounds = (full: number, usual = Math.ceil(full / 4)): number =>
  process.env.TORTURE ? full : usual
