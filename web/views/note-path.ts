/** The address of a note in the page. In a separate file, because the first load of the dashboard contains it. */
export const notePath = (id: string) => `/dashboard/notes/${id}`
