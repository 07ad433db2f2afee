export const settings = {
  title: 'Harbour Notes (staging)',
  port: Number(process.env.PORT ?? 8080),
  database: process.env.BLOG_DATABASE ?? 'postgres://10.100.7.12/blog',
  postsPerPage: 12,
};
