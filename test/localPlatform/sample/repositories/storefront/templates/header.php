<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title><?= htmlspecialchars($title) ?> · Saltmarsh Tea</title>
  <link rel="stylesheet" href="style.css">
</head>
<body>
<header><a href="/"><img src="logo.png" alt="Saltmarsh Tea" width="64" height="64"></a> <a href="basket.php">Basket</a></header>
<main>
<h1><?= htmlspecialchars($title) ?></h1>
