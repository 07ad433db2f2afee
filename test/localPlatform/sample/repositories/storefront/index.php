<?php

declare(strict_types=1);

require __DIR__ . '/src/Catalogue.php';

$teas = Catalogue::withSampleTeas()->all();
$title = 'All teas';

require __DIR__ . '/templates/header.php';
?>
<ul class="teas">
  <?php foreach ($teas as $tea): ?>
    <li>
      <a href="product.php?id=<?= $tea->id ?>"><?= htmlspecialchars($tea->title) ?></a>
      <span><?= $tea->grams ?> g</span>
      <strong><?= number_format($tea->cents / 100, 2) ?> €</strong>
    </li>
  <?php endforeach ?>
</ul>
<?php require __DIR__ . '/templates/footer.php';
