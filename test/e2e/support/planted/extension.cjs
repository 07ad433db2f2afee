exports.activate = (context) => context;
