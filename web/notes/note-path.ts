/** The address of a note in the page. In a file of its own, because the first chunk of the dashboard contains it. */
export const notePath = (id: string) => `/dashboard/notes/${id}`
