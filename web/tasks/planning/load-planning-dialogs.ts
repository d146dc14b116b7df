/** The chunk of the dialogs that change tasks; also loaded ahead, so that the next key reaches its dialog. */
export const loadPlanningDialogs = () => import('./planning-dialogs.tsx')
